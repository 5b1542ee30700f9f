import MediaHeaders
import NotificationModel

/// Bounds of one fetch, all inside the request's budget.
package struct FetchLimits: Sendable, Equatable {
    package var redirects = 5
    /// Of one host, that are tried; the others are judged too.
    package var addresses = 8
    /// From the start to the connection, TLS included.
    package var connect: Duration = .seconds(5)
    /// From the request to the first byte of the answer.
    package var firstByte: Duration = .seconds(10)
    /// Without any byte.
    package var idle: Duration = .seconds(10)
    /// A transfer without a byte for this long gives its permit to another one.
    package var stallThreshold: Duration = .seconds(1)
    /// After this time without a byte, a second connection may overtake a transfer; `nil`: none does.
    package var hedgeAfter: Duration? = .seconds(1)
    /// Pause before the first retry. The pause before the second is twice as long.
    package var retryPause: Duration = .milliseconds(100)
    /// Of an answer's head, interim answers included.
    package var headBytes = 131_072
    /// The same in lines: libcurl compares each field with all others, which takes seconds for tens of thousands.
    package var headLines = 1_000
    /// Bytes after decoding, by what the first of them say they are; a source of unknown kind has the largest.
    package var pictureBytes = MediaFormat.Kind.picture.mostSourceBytes
    package var soundBytes = MediaFormat.Kind.sound.mostSourceBytes
    package var videoBytes = MediaFormat.Kind.video.mostSourceBytes
    /// Transfers at a time, in all and to one host, as long as they move.
    package var connections = 256
    /// Connections that are kept, those in use included, before one that is not in use is closed; `nil`: as many as there
    /// may be transfers.
    package var keptConnections: Int?
    package var connectionsPerHost = 16
    /// Transfers that stand still, besides those: they keep their connections and no place.
    package var stalled = 1_024
    package var stalledPerHost = 64
    /// Hosts that keep failing get no transfers for a while.
    package var circuitBreaker = true

    package init() {}

    /// Limit of a source of any kind, in bytes.
    var largest: Int { max(pictureBytes, soundBytes, videoBytes) }

    /// - Parameter mediaClass: `nil` when it is not known.
    func cap(of mediaClass: MediaClass?) -> Int {
        switch mediaClass {
        case .picture: pictureBytes
        case .sound: soundBytes
        case .video: videoBytes
        case nil: largest
        }
    }
}
