import Base
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1))) struct ProblemPageTests {
    @Test func `docs/use/problems.md is equal to the page that is made from the kinds of problems`() throws {
        let page = try Golden.page("use/problems.md", made: ProblemReference.text)
        #expect(
            ProblemReference.text == page, "the page differs from the generated page; REWRITE_GOLDENS=1 rewrites it")
    }

    @Test(arguments: Problem.Kind.allCases)
    func `the type of a problem is a path that the daemon serves`(_ kind: Problem.Kind) async throws {
        try await ServerBench.run { bench in
            let path = try #require(Problem(kind, "x").json["type"]?.string)
            let answer = try await bench.send("GET", path)
            #expect(answer.status == 200 && answer["content-type"]?.hasPrefix("text/markdown") == true)
            #expect(answer.body.hasPrefix("## \(kind.rawValue)\n") && ProblemReference.text.contains(answer.body))
        }
    }

    @Test func `an unknown kind is missing, and the answer lists the kinds`() async throws {
        try await ServerBench.run { bench in
            let answer = try await bench.send("GET", "/problems/none")
            #expect(answer.status == 404 && answer.body.contains("too-large"))
        }
    }
}
