import Glibc
import LinuxIO
import Testing

/// Tests of users and groups by name or number. Each Linux system has root, and no user database has the numbers of
/// these tests.
struct SystemUserTests {
    @Test(
        arguments: [
            ("root", 0, 0), ("0", 0, 0), ("3999999999", 3_999_999_999, 3_999_999_999),
            ("4294967295", 4_294_967_295, 4_294_967_295),
        ] as [(String, UInt32, UInt32)])
    func `a user is found by name or number, and a number without an entry is also the group number`(
        _ name: String, _ user: UInt32, _ group: UInt32
    ) throws {
        let found = try #require(SystemUser.identifiers(of: name))
        #expect(found.user == user && found.group == group)
    }

    @Test func `a number with an entry has the group of the entry`() throws {
        let own = try #require(getpwuid(getuid()))
        let found = try #require(SystemUser.identifiers(of: "\(getuid())"))
        #expect(found.user == own.pointee.pw_uid && found.group == own.pointee.pw_gid)
    }

    @Test(arguments: ["", "no such user", "root:root", "-1", "4294967296", "0x0"])
    func `an unknown name finds no user and no group`(_ name: String) {
        #expect(SystemUser.identifiers(of: name) == nil)
        #expect(UserGroup.identifier(of: name) == nil)
    }

    @Test func `a group is found by its name or number`() {
        #expect(UserGroup.identifier(of: "root") == 0)
        #expect(UserGroup.identifier(of: "3999999999") == 3_999_999_999)
    }

    @Test func `a process is root if its effective user is root`() {
        #expect(SystemUser.isRoot == (geteuid() == 0))
    }
}
