import Foundation
import TestSupport
import Testing

/// The wall between the network and the decoders begins with what is linked.
@Suite struct LinkageTests {
    @Test func `the daemon links no decoder`() throws {
        let libraries = try Self.libraries(of: BuiltProducts.appgroupd)
        #expect(libraries.contains { $0.hasPrefix("libcurl") })
        for name in ["libavformat", "libavcodec", "libavutil", "libswscale", "libtiff", "libx264"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "\(name) is linked")
        }
    }

    @Test func `the worker links no network and no store`() throws {
        let libraries = try Self.libraries(of: BuiltProducts.worker)
        #expect(libraries.contains { $0.hasPrefix("libavcodec") })
        for name in ["libcurl", "libsqlite3", "libFoundationNetworking"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "\(name) is linked")
        }
    }

    /// The names of the shared libraries that the dynamic loader would map.
    private static func libraries(of program: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ldd")
        process.arguments = [program]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").compactMap {
            $0.split(separator: " ").first.map { $0.filter { $0 != "\t" } }
        }
    }
}
