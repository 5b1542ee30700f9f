import CLibFuzzer
import FuzzBodies
import Glibc

/// The program of `make fuzz`: libFuzzer with the target that the environment variable `FUZZ_TARGET` names. The
/// arguments are those of libFuzzer.
@main enum Fuzzer {
    private static let target: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget.named(name) else {
            fatalError(
                "FUZZ_TARGET is \"\(name)\": name one of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
        }
        return target
    }()

    /// Swift's package manager links `main` of the program and not that of libFuzzer, so that libFuzzer runs as a
    /// library.
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { start, count in Fuzzer.read(start, count) })
    }

    private static func read(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do throws(FuzzFinding) {
            try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
        } catch {
            fatalError("\(target): this does not hold: \(error)")
        }
        return 0
    }
}
