import Testing

/// The program of the test bundle. SwiftPM would generate its own, and would build an index of all sources to find the
/// classes of XCTest. The index takes a quarter of the time of a build, and no test here uses XCTest.
@main struct TestBundle {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        // `swift test` also asks for the tests of XCTest, and starts the bundle once without the name of a library.
        if arguments.contains("--dump-tests-json") { print(#"{"name": "All tests", "tests": []}"#) }
    }
}
