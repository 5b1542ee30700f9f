import Base
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import Features

struct RecordingFolderTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/recordings" }

    init() throws { directory = try TemporaryDirectory() }

    private func folder(quota: Int = 1 << 20) throws -> RecordingFolder {
        let folder = RecordingFolder(path, quota: quota)
        try folder.open()
        return folder
    }

    private var names: [String] {
        get throws { try FileSystem.names(in: path).filter { $0 != "files" } }
    }
    private var files: [String] {
        get throws { try FileSystem.names(in: path + "/files") }
    }

    @Test func `recordings of the same payload share its file until the last one is removed`() throws {
        let folder = try folder()
        for id in ["a", "b"] { try folder.write(try RecordedSample(id: id).recording()) }
        #expect(try names.count == 2 && files.count == 1)
        var step = ErasureStep(ErasureTarget(group: .default, kind: .id, name: "a"))
        #expect(try folder.erase(step) == 1)
        #expect(try names.count == 1 && files.count == 1)
        step = ErasureStep(ErasureTarget(group: .default, kind: .id, name: "b"))
        #expect(try folder.erase(step) == 1)
        #expect(try names == [] && files == [])
        #expect(folder.byteCount == 0)
    }

    @Test func `a request that fails again replaces its recording`() throws {
        let folder = try folder()
        try folder.write(try RecordedSample(title: "first").recording())
        try folder.write(try RecordedSample(title: "second").recording())
        #expect(try names.count == 1 && files.count == 1)
        let text = String(decoding: try FileSystem.contents(of: "\(path)/files/\(files[0])"), as: UTF8.self)
        #expect(text.contains("second"))
    }

    @Test func `a recording that is larger than the quota has no place`() throws {
        let folder = try folder(quota: 25_000)
        #expect(folder.canHold(try RecordedSample(title: "short").recording()))
        #expect(!folder.canHold(try RecordedSample(title: String(repeating: "1 ", count: 15_000)).recording()))
    }

    @Test func `the oldest recordings leave a full folder, also after a restart`() throws {
        let first = try folder()
        for number in 1...5 {
            try first.write(
                try RecordedSample(id: "n-\(number)", title: String(repeating: "\(number) ", count: 5_000)).recording())
        }
        #expect(try names.count == 5)
        let second = try folder(quota: 25_000)
        #expect(second.byteCount <= 25_000)
        #expect(RecordingFolder.recording(of: "n-5", group: "group.default", in: path) != nil)
        #expect(RecordingFolder.recording(of: "n-1", group: "group.default", in: path) == nil)
        try second.write(
            try RecordedSample(id: "n-6", title: String(repeating: "6 ", count: 5_000)).recording())
        #expect(try names.count == files.count && second.byteCount <= 25_000)
        #expect(RecordingFolder.recording(of: "n-6", group: "group.default", in: path) != nil)
    }

    @Test(arguments: [
        (ErasureTarget.Kind.id, "msg-1"), (.providerID, "provider-1"), (.thread, "thread-1"), (.recipient, "anna"),
        (.group, ""),
    ])
    func `an erasure of each kind finds its recordings`(kind: ErasureTarget.Kind, name: String) throws {
        let folder = try folder()
        var sample = try RecordedSample(recipient: "anna")
        (sample.providerID, sample.thread) = ("provider-1", "thread-1")
        try folder.write(try sample.recording())
        try folder.write(try RecordedSample(id: "msg-1", group: "group.other", recipient: "anna").recording())
        var step = ErasureStep(ErasureTarget(group: .default, kind: kind, name: name))
        if kind == .recipient { step.recipientNames = ["anna"] }
        let reopened = try self.folder()
        #expect(try reopened.erase(step) == 1)
        #expect(RecordingFolder.recording(of: "msg-1", group: "group.other", in: path) != nil)
        #expect(try reopened.erase(step) == 0)
    }

    @Test func `a start keeps the owner's files and removes the remains of interrupted writes`() throws {
        try folder().write(try RecordedSample().recording())
        let remains = [
            String(repeating: "a", count: 32) + ".yaml.part-7",
            "files/\(String(repeating: "b", count: 64)).json.part-7", "files/\(String(repeating: "c", count: 64)).jpg",
        ]
        for name in remains + ["own.yaml", "files/notes.txt"] { try FileSystem.write([1], toFile: "\(path)/\(name)") }
        _ = try folder()
        #expect(try Set(names).contains("own.yaml") && names.count == 2)
        #expect(try files.count == 2 && files.contains("notes.txt"))
    }

    @Test func `a scenario from a recording names the files of its folder`() throws {
        try folder().write(try RecordedSample().recording())
        let recording = try #require(RecordingFolder.recording(of: "msg-1", group: "group.default", in: path))
        let text = try #require(RecordingFolder.scenario(in: recording, filesBelow: "/a folder"))
        #expect(text.hasPrefix("name: ") && text.contains("payload: \"/a folder/files/"))
        #expect(RecordingFolder.scenario(in: "\(path)/none", filesBelow: "/") == nil)
    }
}
