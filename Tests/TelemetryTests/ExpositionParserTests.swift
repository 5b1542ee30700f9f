import Testing

/// Tests of the parser, because a parser that accepts any text would prove nothing in other tests.
@Suite struct ExpositionParserTests {
    @Test func `the example in the description of the format is parsed`() throws {
        let families = try ExpositionParser.families(
            of: """
                # HELP http_requests_total The total number of HTTP requests.
                # TYPE http_requests_total counter
                http_requests_total{method="post",code="200"} 1027
                http_requests_total{method="post",code="400"} 3

                """)
        #expect(families["http_requests_total"]?.samples.map(\.value) == [1_027, 3])
    }

    @Test(arguments: [
        "a 1", "# TYPE a counter\na 1 \n", "# TYPE a counter\na  1\n", "# TYPE a counter\na\n", "a 1\n",
        "# TYPE a counter\na 1\na 1\n", "# TYPE a counter\na{} 1\n", "# TYPE a counter\na{b=\"x} 1\n",
        "# TYPE a counter\na{b=\"x\"y} 1\n", "# TYPE a counter\na{b=\"\\x\"} 1\n", "# TYPE a counter\na{1=\"x\"} 1\n",
        "# TYPE a counter\na{__b=\"x\"} 1\n", "# TYPE a counter\na{b=\"x\",b=\"y\"} 1\n", "# TYPE a wrong\na 1\n",
        "# TYPE a counter\n# TYPE a counter\na 1\n", "# TYPE a-b counter\n", "# TYPE 1a counter\n", "\n", "# x\n",
        "# TYPE a counter\na 1\n# TYPE b counter\nb 1\n# HELP a late\n", "# TYPE a counter\na one\n",
        "# TYPE a counter\na inf\n", "# TYPE a histogram\na 1\n", "# TYPE a counter\na_sum 1\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
        "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
    ])
    func `a text that does not follow the format is refused`(_ text: String) {
        #expect(throws: ExpositionParser.Problem.self) { _ = try ExpositionParser.families(of: text) }
    }
}
