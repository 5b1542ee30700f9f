import LinuxIO
import TestSupport
import Testing

@Suite struct ControlGroupMemoryTests {
    private let directory: TemporaryDirectory
    private var root: String { directory.path }

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ text: String, to path: String) throws {
        let parts = path.split(separator: "/").dropLast().joined(separator: "/")
        try FileSystem.makeDirectories("\(root)/\(parts)")
        try FileSystem.write(Array(text.utf8), toFile: "\(root)/\(path)")
    }

    @Test func `the limit is the smallest limit of a group and its parents`() throws {
        try write("0::/system.slice/appgroupd.service\n", to: "proc/self/cgroup")
        try write("max\n", to: "sys/fs/cgroup/system.slice/appgroupd.service/memory.max")
        #expect(ControlGroupMemory.limit(root: root) == nil)
        try write("300000000\n", to: "sys/fs/cgroup/system.slice/memory.max")
        #expect(ControlGroupMemory.limit(root: root) == 300_000_000)
        try write("200000000\n", to: "sys/fs/cgroup/system.slice/appgroupd.service/memory.max")
        #expect(ControlGroupMemory.limit(root: root) == 200_000_000)
    }

    @Test func `the limit of version 1 is read from the memory hierarchy, and a very large number means no limit`()
        throws
    {
        try write("5:cpu,cpuacct:/a\n4:memory:/docker/1\n0::/\n", to: "proc/self/cgroup")
        try write("9223372036854771712\n", to: "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes")
        try write("1000\n", to: "sys/fs/cgroup/cpu/a/memory.limit_in_bytes")
        #expect(ControlGroupMemory.limit(root: root) == nil)
        try write("209715200\n", to: "sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes")
        #expect(ControlGroupMemory.limit(root: root) == 200 << 20)
    }

    @Test func `the limit of a container is read at the root of the mounted hierarchy`() throws {
        try write("4:memory:/docker/1\n", to: "proc/self/cgroup")
        try write("209715200\n", to: "sys/fs/cgroup/memory/memory.limit_in_bytes")
        #expect(ControlGroupMemory.limit(root: root) == 200 << 20)
    }

    @Test func `version 2 is read if it is mounted in addition to version 1`() throws {
        try write("4:cpu:/\n0::/a\n", to: "proc/self/cgroup")
        try write("209715200\n", to: "sys/fs/cgroup/unified/a/memory.max")
        #expect(ControlGroupMemory.limit(root: root) == 200 << 20)
    }

    @Test func `a system without control groups has no limit`() throws {
        #expect(ControlGroupMemory.limit(root: root) == nil)
        try write("no line of a group\n", to: "proc/self/cgroup")
        #expect(ControlGroupMemory.limit(root: root) == nil)
    }
}
