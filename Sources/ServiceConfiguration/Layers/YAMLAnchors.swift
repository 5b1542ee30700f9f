import CYaml

/// A search for anchors and aliases with libyaml's parser, which reports them without expanding them.
package enum YAMLAnchors {
    package static let problem =
        "& and * begin an anchor or alias, which are not accepted: put the text in quotes, such as \"*.example.com\""

    /// Returns the line of the first anchor or alias, from 1; `nil` if the text has no anchor or alias, or an error
    /// precedes it.
    package static func firstLine(in text: String) -> Int? {
        guard !text.isEmpty else { return nil }
        var parser = yaml_parser_t()
        // The addresses must stay valid, because libyaml stores pointers to the parser and to the bytes.
        return withUnsafeMutablePointer(to: &parser) { parser in
            Array(text.utf8).withUnsafeBufferPointer { firstLine(in: $0, with: parser) }
        }
    }

    private static func firstLine(
        in bytes: UnsafeBufferPointer<UInt8>, with parser: UnsafeMutablePointer<yaml_parser_t>
    ) -> Int? {
        guard yaml_parser_initialize(parser) == 1 else { return nil }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { return lineOfUnreadable(parser.pointee) }
            defer { yaml_event_delete(&event) }
            if hasAnchor(event) { return Int(event.start_mark.line) + 1 }
            if event.type == YAML_STREAM_END_EVENT { return nil }
        }
    }

    private static func hasAnchor(_ event: yaml_event_t) -> Bool {
        switch event.type {
        case YAML_ALIAS_EVENT: true
        case YAML_SCALAR_EVENT: event.data.scalar.anchor != nil
        case YAML_SEQUENCE_START_EVENT: event.data.sequence_start.anchor != nil
        case YAML_MAPPING_START_EVENT: event.data.mapping_start.anchor != nil
        default: false
        }
    }

    /// Returns the line of an anchor or alias whose name libyaml cannot read, such as `*.example.com`.
    private static func lineOfUnreadable(_ parser: yaml_parser_t) -> Int? {
        guard let context = parser.context.map({ String(cString: $0) }), context.hasPrefix("while scanning an a") else {
            return nil
        }
        return Int(parser.context_mark.line) + 1
    }
}
