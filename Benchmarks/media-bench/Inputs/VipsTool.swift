import BenchProcess

/// The program `vips`, which runs libvips' operations.
struct VipsTool {
    private static let executable = "/usr/bin/vips"

    func run(_ words: String...) throws { _ = try MeasuredProcess(Self.executable, words).end() }
}
