import JSON
import NotificationModel

/// What is wrong before there is an object to look into, and what is wrong with any object.
enum FileRules {
    static let all = [notJSON, notAnObject, several, notExamined, duplicateKey]

    private static let notJSON = LintRule(
        "not-json", .error, "The file, or a line of it, is no JSON.", source: "RFC 8259. No push service takes it.")

    private static let notAnObject = LintRule(
        "not-an-object", .error, "A value at the top of the file is no object.",
        source: "A payload is an object, with every provider and push service.")

    private static let several = LintRule(
        "several-objects", .note, "The file holds several objects, or an array of objects.",
        source:
            "`process` takes them one after the other, as does Expo's API with an array; the spool, a body over HTTP and other push services take one object."
    )

    /// Larger objects are not looked into: they are sixteen times what a push service takes.
    static let mostBytes = 64 << 10

    private static let notExamined = LintRule(
        "not-examined", .warning,
        "The object is longer than 64 KiB without the media in it, and only its size is looked at.",
        source: "It is sixteen times what a push service takes."
    ) { subject in
        guard subject.isTooLong else { return [] }
        return [
            LintFlaw(
                subject.weighed,
                "the object is longer than \(mostBytes >> 10) KiB without the media in it, and nothing but its size is looked at",
                fix: "Send what is long as a file, and its URL in the payload")
        ]
    }

    private static let duplicateKey = LintRule(
        "duplicate-key", .error, "An object has a key twice.",
        source: "RFC 8259 §4: what a reader makes of it is unpredictable. Here the last one counts."
    ) { subject in
        PayloadWalk(subject.object).repeatedKeys.map { path in
            LintFlaw(
                path, "the key is there more than once, and only the last one counts", fix: "Leave all but one out")
        }
    }

    static func noJSON(_ problem: String, at offset: Int) -> LintFile.Problem {
        let flaw = LintFlaw(.root, "no JSON: \(problem)", fix: "Write it with a JSON library instead of by hand")
        return LintFile.Problem(rule: notJSON, flaw: flaw, offset: offset)
    }

    static func noObject(_ value: JSONValue, at place: LintPlace) -> LintFile.Problem {
        let flaw = LintFlaw(place.path, "the value is \(value.typeName), not an object", fix: "Put it into an object")
        return LintFile.Problem(rule: notAnObject, flaw: flaw, offset: place.outline.start)
    }

    /// `nil`: the file holds one object, or none.
    static func severalObjects(_ objects: [LintObject]) -> LintFile.Problem? {
        guard let first = objects.first, objects.count > 1 || first.place.path != .root else { return nil }
        let count = objects.count == 1 ? "an array of one object" : "\(objects.count) objects"
        let flaw = LintFlaw(
            .root, "the file holds \(count); the spool, HTTP and most push services take one that is in no array",
            fix: "Give each a file of its own, unless it is for process or Expo's API")
        let place = objects.count == 1 ? first.place : objects[1].place
        return LintFile.Problem(rule: several, flaw: flaw, offset: place.outline.start)
    }
}
