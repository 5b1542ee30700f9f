import BenchProcess
import LinuxIO
import NotificationModel

/// The program `curl --parallel`, with a list of URLs in a file.
struct CurlPeer {
    static let executable = "/usr/bin/curl"

    let urls: FileURLs
    let caFile: String?
    let parallel: Int
    let files: Int

    /// Downloads all files into a new directory within the given directory.
    func run(in directory: String) throws -> ProcessUsage {
        let list = directory + "/curl.config"
        let lines = (1...files).map { "url = \"\(urls[$0])\"\noutput = \"\($0)\"\n" }
        try FileSystem.write(Array(lines.joined().utf8), toFile: list)
        let outputs = try TemporaryDirectory(in: directory)
        var words = [
            "--disable", "--parallel", "--parallel-max", "\(parallel)", "--no-progress-meter", "--fail",
            "--output-dir", outputs.path, "--config", list,
        ]
        if let caFile { words += ["--cacert", caFile] }
        let usage = try MeasuredProcess(Self.executable, words).end()
        var bytes = 0
        for name in try FileSystem.names(in: outputs.path) {
            bytes += FileSystem.size(of: "\(outputs.path)/\(name)") ?? 0
        }
        guard bytes == files * NginxOrigin.byteCount else { throw BenchFailure("curl downloaded \(bytes) bytes") }
        return usage
    }
}
