import Testing

@testable import HTTPAPI

struct RequestTargetTests {
    @Test func `a target is cut first and decoded then`() throws {
        let target = try RequestTarget("/a%2Fb/c%20d/?x=1%262&y&z=a=b&&+=%2B")
        #expect(target.segments == ["a/b", "c d", ""])
        #expect(target.parameters.map(\.name) == ["x", "y", "z", "+"])
        #expect(target.parameters.map(\.value) == ["1&2", "", "a=b", "+"])
    }

    @Test(arguments: ["", "*", "a", "http://a/", "/%", "/%4", "/%zz", "/%C3", "/?a=%ff", "/%\u{FF14}1"])
    func `what is no target is refused`(target: String) {
        #expect(throws: Problem.self) { _ = try RequestTarget(target) }
    }

    @Test func `the date is as RFC 9110 writes it`() {
        #expect(DateField.text(of: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(DateField.text(of: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }
}
