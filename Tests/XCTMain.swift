import Testing

/// The program of the test bundle. SwiftPM would write its own, and find the classes of XCTest for it in an index of all
/// sources, which takes a quarter of the time of a build. No test here uses XCTest.
@main struct TestBundle {
    static func main() async {
        let arguments = CommandLine.arguments
        // `swift test` also asks for the tests of XCTest, and starts the bundle once for each of the two libraries.
        if arguments.contains("--dump-tests-json") { return print(#"{"name": "All tests", "tests": []}"#) }
        guard arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
