import NotificationModel

extension ValueFormat where Value == String {
    /// What people read, or the system compares.
    static var label: ValueFormat {
        text(
            "a text of 1 to 1000 bytes on one line",
            { (1...1_000).contains($0.utf8.count) && isOneLine($0) ? $0 : nil }, shown: { .string($0) })
    }

    /// Of a file that the app has, or `none`.
    fileprivate static var soundName: ValueFormat {
        text(
            "the name of a sound file", as: "bell.aiff",
            { (1...255).contains($0.utf8.count) && isOneLine($0) && !$0.contains("/") ? $0 : nil },
            shown: { .string($0) })
    }

    private static func isOneLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            ![.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
    }
}

extension ValueFormat where Value == [String: String] {
    /// Kinds of 2mee's messages with the sounds of those that have one.
    static var sounds: ValueFormat {
        let kinds = Configuration.TwoMee.kinds
        return ValueFormat(
            expected: "a mapping of \(kinds.joined(separator: ", ")) to sound files of the app; each may be none",
            shape: .mapping,
            read: { value throws(ValueRefusals) in
                var reader = try MappingReader(value, keys: kinds)
                var sounds = Configuration.TwoMee.defaultSounds
                for kind in kinds where reader.has(kind) {
                    sounds[kind] = reader.value(kind, ValueFormat<String?>.orNone(.soundName)) ?? nil
                }
                try reader.finish()
                return sounds
            },
            json: { sounds in
                .object(
                    kinds.reduce(into: JSONObject()) { shown, kind in
                        shown.append(kind, .string(sounds[kind] ?? "none"))
                    })
            })
    }
}
