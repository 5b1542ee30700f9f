import Base
import Testing

@Suite struct NearestWordTests {
    @Test(
        arguments: [
            ("budgett", "budget"), ("bugdet", "budget"), ("budget", "budget"), ("roots", "root"), ("rot", "root"),
            ("listne", "listen"), ("xyz", nil), ("", nil), (String(repeating: "r", count: 1_000_000), nil),
        ] as [(String, String?)])
    func `the nearest word is found only if it is similar enough`(word: String, nearest: String?) {
        #expect(NearestWord.nearest(to: word, among: ["root", "budget", "listen"]) == nearest)
    }

    @Test func `an empty list has no nearest word`() {
        #expect(NearestWord.nearest(to: "root", among: []) == nil)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("é", "e", 1), ("ab", "ba", 2),
    ])
    func `the distance of two words is the number of changed letters`(left: String, right: String, distance: Int) {
        #expect(NearestWord.distance(left, right) == distance)
        #expect(NearestWord.distance(right, left) == distance)
    }
}
