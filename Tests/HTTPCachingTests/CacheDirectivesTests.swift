import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §5.2, §1.2.2 and §4.2.1.
struct CacheDirectivesTests {
    @Test(
        arguments: [
            (["max-age=60"], 60), (["MAX-Age=60"], 60), (["max-age=\"60\""], 60), (["max-age=\"6\\0\""], 60),
            (["max-age=007"], 7), (["x, max-age=60 , y"], 60), (["x=\"a, max-age=1\", max-age=60"], 60),
            (["x=\"max-age=1\\\", max-age=2\", max-age=60"], 60), (["max-age=60, max-age=5"], 60),
            (["max-age=60", "max-age=5"], 60), (["no-transform", "max-age=60"], 60),
            ([",, max-age=60,"], 60), (["\tmax-age=60\t"], 60),
            // Numbers over 2^31 are reduced to 2^31.
            (["max-age=2147483648"], 2_147_483_648), (["max-age=99999999999999999999999"], 2_147_483_648),
            // Malformed numbers count as 0.
            (["max-age=-1"], 0), (["max-age=1.5"], 0), (["max-age=6O"], 0), (["max-age='60'"], 0), (["max-age="], 0),
            (["max-age"], 0), (["max-age = 60"], 0), (["max-age= 60"], 0), (["max-age =60"], 0),
            (["max-age=\"60"], 0), (["max-age=\"\""], 0), (["max-age=٣"], 0),
            // These lines do not contain the directive.
            ([], nil), ([""], nil), (["xmax-age=60"], nil), (["x=\"max-age=60\""], nil), (["x=\"max-age=60"], nil),
            (["s-maxage=60"], nil),
        ] as [([String], Double?)])
    func `the seconds of a directive are read in every syntax of the directive`(lines: [String], seconds: Double?) {
        let directives = CacheDirectives(CacheBench.fields(lines.map { ("Cache-Control", $0) }))
        #expect(directives.seconds("max-age") == seconds)
    }

    @Test(
        arguments: [
            (["no-cache"], true, []), (["No-Cache"], true, []), (["no-cache=\"Set-Cookie\""], false, ["set-cookie"]),
            (["no-cache=\"a, B ,,c\""], false, ["a", "b", "c"]), (["no-cache=a"], false, ["a"]),
            (["no-cache=\"a\", no-cache"], true, ["a"]), (["no-cache=\"\""], true, []), (["no-cache ="], true, []),
            (["no-cache = \"a\""], true, []), (["no-cachet"], false, []),
        ] as [([String], Bool, Set<String>)])
    func `a directive may apply to only some of the header fields`(lines: [String], isPlain: Bool, names: Set<String>) {
        let directives = CacheDirectives(CacheBench.fields(lines.map { ("Cache-Control", $0) }))
        #expect(directives.isPlain("no-cache") == isPlain)
        #expect(directives.fieldNames("no-cache") == names)
    }
}
