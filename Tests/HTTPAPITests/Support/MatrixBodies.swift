import Base
import NotificationModel

@testable import Features

/// Bodies of a homeserver's calls to the push gateway.
enum MatrixBodies {
    static let path = "/_matrix/push/v1/notify"

    /// Returns the body of a push about an event.
    ///
    /// - Parameter event: The members of the event, with a comma after each; the event has no id if they have none.
    static func push(
        _ event: String = #""event_id":"$1","room_id":"!a:example.org","content":{"body":"Hello"},"#,
        devices: String = #"[{"app_id":"com.example.ios.dev","pushkey":"key-1"}]"#
    ) -> String {
        #"{"notification":{\#(event)"devices":\#(devices)}}"#
    }

    /// Returns a coordinator that joins submissions with an id that it has seen.
    static func joiningCoordinator() -> FakeCoordinator {
        let seen = IDRecord()
        return FakeCoordinator { submission in
            let id = submission.object["id"]?.string ?? "new"
            let key = FakeCoordinator.key(id)
            return id == "new" || seen.insert(id) ? .accepted(key) : .joined(key)
        }
    }

    private final class IDRecord: Sendable {
        private let ids = Guarded<Set<String>>([])

        func insert(_ id: String) -> Bool { ids.withLock { $0.insert(id).inserted } }
    }
}
