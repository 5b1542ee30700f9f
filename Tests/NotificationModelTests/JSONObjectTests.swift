import Base
import NotificationModel
import Testing

@Suite struct JSONObjectTests {
    /// The counts are below, at and above the size at which an object gets a table of keys.
    @Test(arguments: [1, 31, 32, 33, 500])
    func `a key is found in an object of any size, and the last of repeated keys is used`(count: Int) throws {
        var object = JSONObject()
        for number in 0..<count { object.append("k\(number)", 0) }
        for number in 0..<count { object.append("k\(number)", .number(JSONNumber(number + 1))) }
        #expect(object["k0"] == 1)
        #expect(object["k\(count - 1)"]?.integer == count)
        #expect(object["none"] == nil)
        #expect(object.members.count == 2 * count)
        #expect(object == JSONObject(members: object.members))
        let replaced = JSONValue.object(object).replacing(JSONPath([.key("k0")]), with: "new")
        #expect(replaced["k0"] == "new")
        #expect(replaced.object?.members.first?.value == 0, "only the last member of the key is replaced")
    }
}
