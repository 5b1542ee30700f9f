package import FoundationEssentials
package import HTTPCaching
import HTTPTypes
package import NotificationModel

/// A response of the HTTP cache, as it is listed.
package struct ListedResponse: Sendable {
    package var response: StoredResponse
    /// Path of the body, relative to the root; `nil` if it is stored without one.
    package var path: String?
    /// Bytes of head and body.
    package var bytes: Int
    package var usedAt: Date

    /// The URL, without the digest of credentials.
    package var url: String { response.url }
    /// Whether credentials were sent for it.
    package var hasCredentials: Bool { response.key.contains(" ") }
    /// `image/jpeg`, without parameters and in lower case; `nil` if the origin gave none.
    package var type: String? {
        response.head.fields[.contentType].map { type in
            String(type.prefix { $0 != ";" && $0 != " " }).lowercased()
        }
    }
    /// The fields of the head, in their order.
    package var fields: [(name: String, value: String)] {
        response.head.fields.map { ($0.name.rawName, $0.value) }
    }
}

/// A file of a container, as it is listed.
package struct ListedFile: Sendable {
    package var group: AppGroupName
    package var digest: String
    /// Relative to the group's directory.
    package var path: String
    package var mimeType: String
    package var bytes: Int
    package var usedAt: Date
    /// Until when the file is not evicted; in the past if it may be.
    package var leasedUntil: Date
    /// The latest date of the pins of the file; in the past if they have ended, and `nil` if it has none.
    package var pinnedUntil: Date?
}

/// The pin of a URL in one group and one form of the renditions.
package struct ListedPin: Sendable {
    package struct File: Sendable {
        package var kind: String
        /// Relative to the group's directory.
        package var path: String
        package var bytes: Int
    }

    package var group: AppGroupName
    package var recipe: String
    package var until: Date
    package var files: [File]
}

/// A place from which a file of a container is reached.
package struct FileReference: Sendable {
    /// The message that shows the file; `nil` for a response that it was made from.
    package var message: String?
    package var providerID: String?
    /// The URL of a message as its payload writes it, or the URL of a response; `nil` if the response is gone.
    package var url: String?
    /// Id of the response.
    package var identity: String?
}

/// Files that were made of a response, in one group and by one recipe.
package struct ListedRenditions: Sendable {
    package var group: AppGroupName
    package var recipe: String
    package var assets: [StoredAsset]
}
