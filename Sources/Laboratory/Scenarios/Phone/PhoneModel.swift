import Base

/// A phone that receives the original payload, as the key `nse` describes it: an iPhone with a notification service
/// extension, or an Android phone with Firebase's SDK.
package struct PhoneModel: Sendable, Equatable {
    /// A second call of the extension in the same process, while the first one may still run.
    ///
    /// Apple documents neither that an instance serves one push only, nor that it serves several. Apps have seen reused
    /// instances (element-ios 3326), and two calls for one push (openradar 31422811).
    package struct SecondCall: Sendable, Equatable {
        /// The time from the first call to the second one.
        package var delay: Duration
        /// Whether both calls are for the same push, which is then shown twice.
        package var isSamePush = false
        /// Whether the extension keeps its content handler in one variable, as Apple's template does. The second call
        /// then replaces the handler of a first call that still runs.
        package var sharesState = true

        package init(delay: Duration) { self.delay = delay }
    }

    package var system = PhoneSystem(.ios, 17)
    /// The memory at which iOS ends the extension, in bytes: 12, 16 or 24 MB.
    package var memory = 24_000_000
    /// Whether the extension holds the whole download in its memory, and not in a file.
    package var holdsDownload = false
    /// Whether the extension decodes pictures that cannot be attached, and attaches them as JPEG.
    package var converts = false
    /// The time after which the extension is ended; `nil` for the limit of the system.
    package var endsAfter: Duration?
    /// The second call of the extension; `nil` if it is called once.
    package var secondCall: SecondCall?
    /// Whether the user saves data (Low Data Mode, Data Saver), and the app respects it.
    package var isLowData = false
    /// Whether the app has an exception for plain http.
    package var allowsPlainHTTP = false

    package init() {}

    /// The longest time until a notification is shown.
    var limit: Duration { min(endsAfter ?? system.clock, system.clock) }

    /// The number of notifications that the phone shows of one push.
    package var copies: Int { secondCall?.isSamePush == true ? 2 : 1 }

    /// The notification that a phone shows, and its time.
    package struct Shown: Sendable, Equatable {
        /// Whether a media item is shown, and not the text alone.
        package var isMedia: Bool
        /// The time from the arrival of the push until the notification is shown, in seconds.
        package var seconds: Double
        /// The reason why the text alone is shown; `nil` if a media item is shown.
        package var why: String?

        static func media(after seconds: Double) -> Self { Self(isMedia: true, seconds: seconds, why: nil) }

        static func text(_ why: String, after seconds: Double = 0) -> Self {
            Self(isMedia: false, seconds: seconds, why: why)
        }
    }
}

extension PhoneModel.Shown {
    /// The shown content in a word, as expectations name it.
    package var word: String { isMedia ? "media" : "text" }

    /// The shown content, and its time or the reason, for people.
    package var sentence: String {
        isMedia ? "media after \(ShownNumber.time(seconds))" : "text (\(why ?? "no media"))"
    }
}

/// The expected judgements of a phone.
package struct PhoneExpectation: Sendable {
    /// `media` or `text`, for the original payload.
    package var alone: Placed<String>?
    /// `media` or `text`, for the processed content.
    package var with: Placed<String>?
    /// The seconds by which the processed content is shown earlier.
    package var saved: Placed<Measure>?
    /// The number of notifications that the phone shows of the push.
    package var copies: Placed<Measure>?
}
