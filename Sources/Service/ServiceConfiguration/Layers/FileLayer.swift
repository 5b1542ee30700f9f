/// The values of the configuration file.
struct FileLayer {
    /// The size of the largest file, in bytes.
    private static let limit = 1 << 20
    /// The maximum number of errors that are reported. A file of another kind could have a hundred thousand errors.
    private static let maxProblems = 100

    /// The path of the file that was read; `nil` if no file was read.
    private(set) var path: String?
    private(set) var values: [String: ConfigNode] = [:]
    /// The errors with their lines, in the order of the file.
    private(set) var problems: [(line: Int, text: String)] = []

    /// - Parameter path: The path of the file.
    /// - Parameter named: The source that names the file. If `nil`, the file is the default file, which need not exist.
    init(path: String, namedBy named: ValueSource?) {
        let file: BoundedFile
        do throws(BoundedFile.Refusal) { file = try BoundedFile.read(path, limit: Self.limit) } catch {
            let name = QuotedText.path(path)
            switch error {
            case .missing:
                guard let named else { return }
                problems = [(0, "\(named.inMessage): \(name) does not exist: name another file, or none")]
            case .unreadable(let reason):
                problems = [(0, "\(named?.inMessage ?? "the configuration"): \(name) cannot be read: \(reason)")]
            }
            return
        }
        self.path = path
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            problems = [(0, "\(QuotedText.path(path)): it is not text in UTF-8")]
            return
        }
        do throws(ValueErrors) {
            guard let root = try YAMLText.parse(text, source: { .file(path: path, line: $0) }) else { return }
            read(root, section: "")
        } catch {
            for refusal in error.all { refuse(refusal.source, refusal.text) }
        }
    }

    private mutating func read(_ value: ConfigNode, section: String) {
        guard case .map(let members) = value.content else {
            let place = section.isEmpty ? "the file" : section
            refuse(value.source, "\(place) must be a mapping: write keys, such as \(Self.example(in: section))")
            return
        }
        for member in members {
            guard problems.count < Self.maxProblems else {
                refuse(member.source, "there may be more mistakes below: correct these first")
                return
            }
            let path = section.isEmpty ? member.name : "\(section).\(member.name)"
            if section.isEmpty, !member.name.isEmpty,
                ConfigurationSection.all.contains(where: { $0.name == member.name })
            {
                // All keys of this section are commented out.
                if case .nothing = member.value.content { continue }
                read(member.value, section: member.name)
            } else if KeySuggestion.names(in: section).contains(member.name), ConfigurationKey.named(path) != nil {
                values[path] = ConfigNode(content: member.value.content, source: member.source)
            } else {
                refuse(member.source, KeySuggestion.problem(with: member.name, in: section))
            }
        }
    }

    private static func example(in section: String) -> String {
        section.isEmpty ? "budget: 30s" : "\(section): {\(KeySuggestion.names(in: section)[0]): …}"
    }

    private mutating func refuse(_ source: ValueSource, _ text: String) {
        guard case .file(_, let line) = source else { return }
        problems.append((line, "\(source.inMessage): \(text)"))
    }
}
