import NotificationModel
import Testing

@Suite struct PerGroupTests {
    @Test func `a group has its own value, even if this value is nil`() throws {
        let (a, b) = (try #require(AppGroupName("a")), try #require(AppGroupName("b")))
        let limits = PerGroup<Int?>(5, groups: [a: nil, b: 7])
        #expect(limits[a] == nil && limits[b] == 7 && limits[.default] == 5)
    }

    @Test func `a change of all values reaches the groups with their own`() throws {
        let a = try #require(AppGroupName("a"))
        var counts = PerGroup(1, groups: [a: 2])
        counts.changeAll { $0 *= 10 }
        #expect(counts.standard == 10 && counts[a] == 20)
    }
}
