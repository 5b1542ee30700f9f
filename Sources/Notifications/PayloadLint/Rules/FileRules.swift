import Base

/// The rules for files that are not JSON, for values that are not objects, and for objects of any kind.
enum FileRules {
    static let all = [notJSON, notAnObject, several, notExamined, duplicateKey]

    private static let notJSON = LintRule(
        "not-json", .error, "The file, or a line of the file, is not JSON.",
        source: "Source: RFC 8259. Push services accept only JSON.")

    private static let notAnObject = LintRule(
        "not-an-object", .error, "A top-level value of the file is not a JSON object.",
        source: "Every provider and every push service expects an object.")

    private static let several = LintRule(
        "several-objects", .note, "The file has several objects, or an array of objects.",
        source:
            "`appgroupd process` reads several objects one after the other, and Expo's API accepts an array. The spool, HTTP and all other push services accept only one object."
    )

    /// The maximum size of an object whose content is checked, in bytes, without its media. This limit is sixteen times
    /// the size that push services accept.
    static let maxBytes = 64 << 10

    private static let notExamined = LintRule.single(
        "not-examined", .warning,
        "The object has more than 64 KiB, not counting the bytes of media in the object. Only the size of the object is checked.",
        source: "64 KiB is sixteen times the 4,096 bytes that APNs and FCM accept."
    ) { subject in
        guard subject.isTooLong else { return nil }
        return RuleFinding(
            subject.weighed,
            "the object has more than \(maxBytes >> 10) KiB without its media, and only its size is checked",
            fix: "Put long values into a file, and write its URL into the payload")
    }

    private static let duplicateKey = LintRule(
        "duplicate-key", .error, "An object has a key twice.",
        source:
            "Source: RFC 8259 §4. Different programs read a repeated key differently. appgroupd uses the last value."
    ) { subject in
        PayloadWalk(subject.object).repeatedKeys.map { path in
            RuleFinding(path, "the key occurs more than once, and only the last one counts", fix: "Keep one of them")
        }
    }

    static func noJSON(
        _ problem: String, at offset: Int, fix: String = "Write the file with a JSON library instead of by hand"
    ) -> LintFile.Problem {
        let fix = problem.contains("UTF-16") ? "Save the file as UTF-8" : fix
        let finding = RuleFinding(.root, "not JSON: \(problem)", fix: fix)
        return LintFile.Problem(rule: notJSON, finding: finding, offset: offset)
    }

    static func noObject(_ value: JSONValue, at place: LintPlace) -> LintFile.Problem {
        let finding = RuleFinding(
            place.path, "the value is \(value.typeName), not an object", fix: "Put it into an object")
        return LintFile.Problem(rule: notAnObject, finding: finding, offset: place.outline.start)
    }

    /// Returns the finding for a file with several objects. Returns `nil` if the file has one object or none.
    static func severalObjects(_ objects: [LintObject]) -> LintFile.Problem? {
        guard let first = objects.first, objects.count > 1 || first.place.path != .root else { return nil }
        let count = objects.count == 1 ? "an array of one object" : "\(objects.count) objects"
        let finding = RuleFinding(
            .root, "the file has \(count); the spool, HTTP and most push services accept one object without an array",
            fix: "Write each object into a file of its own, unless the file is for process or Expo's API")
        let place = objects.count == 1 ? first.place : objects[1].place
        return LintFile.Problem(rule: several, finding: finding, offset: place.outline.start)
    }
}
