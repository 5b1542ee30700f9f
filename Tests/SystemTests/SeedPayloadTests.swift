import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of the programs with payloads of the seeds and real files.
@Suite(.serialized, .timeLimit(.minutes(1))) struct SeedPayloadTests {
    private static func process(
        _ payload: String, _ more: String..., configuration: String = "", in directory: TemporaryDirectory
    ) async throws -> JSONValue {
        let file = try directory.write("publicURL: https://push.example.com\n" + configuration, as: "appgroupd.yaml")
        let run = try await ProgramRun.appgroupd(
            ["process", "--config", file, "--root", directory.path + "/root", "--allow-address", "127.0.0.0/8"] + more
                + ["-"], input: payload)
        #expect(run.status == 0, "\(run.errors)")
        return try JSONParser.value(of: try #require(run.output.first))
    }

    @Test func `bytes in a payload become an attachment, and the forwarded payload contains its URL`() async throws {
        let directory = try TemporaryDirectory()
        let image = Data(try Fixtures.bytes("media/photo-small.jpg")).base64EncodedString()
        let content = try await Self.process(
            #"{"parts":[{"name":"p.jpg","type":"image/jpeg","data":"\#(image)","size":7}],"alert":{"platforms":{"apns":{"alert":"A"}}}}"#,
            in: directory)
        #expect(content["outcome"] == "rich")
        let attachment = try #require(content["content"]["attachments"]?.array?.first)
        #expect(attachment["mimeType"] == "image/jpeg")
        #expect(attachment["source"]["url"] == "data:image/jpeg;base64,…")
        let path = try #require(attachment["path"]?.string)
        #expect(FileManager.default.fileExists(atPath: "\(directory.path)/root/group.default/\(path)"))
        let part = try #require(content["push"]["payload"]["parts"]?.array?.first)
        #expect(part["data"] == nil)
        #expect(part["url"] == attachment["publicURL"])
        #expect(part["size"] == attachment["bytes"])
    }

    @Test(arguments: ["AAAA", "A$"])
    func `the text is shown if the bytes are not an image, and the verdict has a UNError code`(
        data: String
    )
        async throws
    {
        let content = try await Self.process(
            #"{"parts":[{"type":"text/plain","data":"Hi"},{"type":"image/png","data":"\#(data)"}]}"#,
            in: try TemporaryDirectory())
        #expect(content["outcome"] == "fallback")
        #expect(content["content"]["body"] == "Hi")
        #expect(content["verdicts"]?.array?.first["unError"]?.integer != nil)
    }

    @Test func `a homeserver without TLS and without a token receives the request`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let content = try await Self.process(
                #"{"notification":{"event_id":"$e","devices":[],"content":{"body":"x","url":"mxc://sdn.org/AbC"}}}"#,
                configuration: "matrix: {homeserver: '\(origin.baseURL)'}\n", in: try TemporaryDirectory())
            // The test's origin does not have this path, but counts the request.
            #expect(content["reason"] == "http-status")
            #expect(origin.counts.requests >= 1)
        }
    }

    @Test func `the flags for the recipient's authorization change badge, sound and interruption level`() async throws {
        let content = try await Self.process(
            #"{"recipient":"USR/ana","payload":{"aps":{"alert":"Rain","badge":2,"sound":"default"}}}"#, "--permission",
            "badge=false", "--permission", "provisional=true", in: try TemporaryDirectory())
        #expect(content["recipient"] == "USR/ana")
        #expect(content["content"]["badge"] == .null)
        #expect(content["content"]["sound"] == .null)
        #expect(content["content"]["interruptionLevel"] == "passive")
    }

    /// An error or a warning of `lint` means that the program cannot use a part of the payload.
    @Test func `lint reports only notes for the seed samples, and each sample has a separate dialect`() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.directory + "/payloads").sorted()
            .filter { name in ["sendios", "comapi", "matrix", "apns-inline"].contains { name.hasPrefix($0) } }
        #expect(names.count >= 13)
        let lint = try await ProgramRun.appgroupd(
            ["lint", "--format", "json"] + names.map { "\(Fixtures.directory)/payloads/\($0)" })
        #expect(lint.status == 0)
        let findings = try JSONParser.value(of: lint.output.joined()).array ?? []
        #expect(findings.allSatisfy { $0["severity"] == "note" })
        for name in names {
            let text = String(decoding: try Fixtures.bytes("payloads/\(name)"), as: UTF8.self)
            let content = try await Self.process(text, "--permission", "download=false", in: try TemporaryDirectory())
            let dialect = name.split(whereSeparator: { "-.".contains($0) }).first.map(String.init)
            #expect(content["dialect"]?.string == dialect, "\(name)")
        }
    }
}
