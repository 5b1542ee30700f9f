import Foundation
import TestSupport
import Testing

/// Tests of the libraries that the programs link. No program may link both network libraries and decoders.
@Suite struct LinkageTests {
    @Test func `the daemon links no decoder library`() throws {
        let libraries = try Self.libraries(of: BuiltProducts.appgroupd)
        #expect(libraries.contains { $0.hasPrefix("libcurl") })
        for name in ["libavformat", "libavcodec", "libavutil", "libswscale", "libtiff", "libx264"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "\(name) is linked")
        }
    }

    @Test func `the daemon links no code of the laboratory`() throws {
        /// The beginning of the mangled name of each symbol of the target `Lab`.
        let symbol = Data("$s3Lab".utf8)
        func contains(_ program: String) throws -> Bool {
            try Data(contentsOf: URL(filePath: program), options: .alwaysMapped).range(of: symbol) != nil
        }
        #expect(try contains(BuiltProducts.laboratory))
        #expect(try !contains(BuiltProducts.appgroupd))
    }

    @Test func `the laboratory links no decoder library`() throws {
        let libraries = try Self.libraries(of: BuiltProducts.laboratory)
        #expect(libraries.contains { $0.hasPrefix("libcurl") })
        #expect(!libraries.contains { $0.hasPrefix("libav") })
    }

    @Test func `the worker links no network library and no database library`() throws {
        let libraries = try Self.libraries(of: BuiltProducts.worker)
        #expect(libraries.contains { $0.hasPrefix("libavcodec") })
        for name in ["libcurl", "libsqlite3", "libFoundationNetworking"] {
            #expect(!libraries.contains { $0.hasPrefix(name) }, "\(name) is linked")
        }
    }

    /// Returns the names of the shared libraries that the dynamic loader maps.
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
