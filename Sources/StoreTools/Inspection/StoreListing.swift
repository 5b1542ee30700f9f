package import FoundationEssentials
package import HTTPCaching
import HTTPTypes
package import NotificationModel

/// A response of the HTTP cache in a listing.
package struct ListedResponse: Sendable {
    package var response: StoredResponse
    /// The path of the body, relative to the root; `nil` if the response is stored without a body.
    package var path: String?
    /// The number of bytes of headers and body.
    package var bytes: Int
    package var usedAt: Date

    /// The URL of the response, without the digest of credentials.
    package var url: String { response.url }
    /// Whether the request of the response contained credentials.
    package var hasCredentials: Bool { response.key.contains(" ") }
    /// The media type in lower case and without parameters, for example `image/jpeg`; `nil` if the origin sent no media
    /// type.
    package var type: String? {
        response.head.fields[.contentType].map { type in
            String(type.prefix { $0 != ";" && $0 != " " }).lowercased()
        }
    }
    /// The header fields of the response, in their order.
    package var fields: [(name: String, value: String)] {
        response.head.fields.map { ($0.name.rawName, $0.value) }
    }
}

/// A file of a container in a listing.
package struct ListedFile: Sendable {
    package var group: AppGroupName
    package var digest: String
    /// The path of the file, relative to the group's directory.
    package var path: String
    package var mimeType: String
    package var bytes: Int
    package var usedAt: Date
    /// The end of the file's lease. A date in the past means that the file may be evicted.
    package var leasedUntil: Date
    /// The latest date of the pins of the file; `nil` if it has no pin. A date in the past means that all pins have
    /// ended.
    package var pinnedUntil: Date?
}

/// The pin of a URL in one group and for one recipe.
package struct ListedPin: Sendable {
    package struct File: Sendable {
        package var kind: String
        /// The path of the file, relative to the group's directory.
        package var path: String
        package var bytes: Int
    }

    package var group: AppGroupName
    package var recipe: String
    package var until: Date
    package var files: [File]
}

/// A reference to a file of a container: a message that shows it, or a response that it was made from.
package struct FileReference: Sendable {
    /// The message that shows the file; `nil` if the reference is a response.
    package var message: String?
    package var providerID: String?
    /// The URL of a message as its payload writes it, or the URL of a response; `nil` if the response was evicted.
    package var url: String?
    /// The id of the response; `nil` if the reference is a message.
    package var identity: String?
}

/// The files that were made from a response, in one group and by one recipe.
package struct ListedRenditions: Sendable {
    package var group: AppGroupName
    package var recipe: String
    package var assets: [StoredAsset]
}
