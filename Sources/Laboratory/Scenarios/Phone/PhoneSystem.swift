package import Base

/// The system of a phone with its version, such as `iOS 15` or `Android 8.1`, and the documented limits of the version.
///
/// The numbers in brackets are those of the sources in docs/reference/compatibility.md, whose table of verdicts is
/// compared with this type by a test.
package struct PhoneSystem: Sendable, Equatable {
    package enum Family: String, Sendable, CaseIterable {
        case ios = "iOS"
        case android = "Android"
    }

    package var family: Family
    package var major: Int
    package var minor: Int

    package init(_ family: Family, _ major: Int, _ minor: Int = 0) {
        (self.family, self.major, self.minor) = (family, major, minor)
    }

    /// Parses `iOS 15`, `iOS 15.4` or `Android 8.1`; `nil` for other texts.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2,
            let family = Family.allCases.first(where: { $0.rawValue.lowercased() == words[0].lowercased() })
        else { return nil }
        let numbers = words[1].split(separator: ".", omittingEmptySubsequences: false).map {
            Int(decimalDigits: $0, atMost: 2)
        }
        guard (1...2).contains(numbers.count), let major = numbers[0], major > 0,
            let minor = numbers.count == 2 ? numbers[1] : 0
        else { return nil }
        self.init(family, major, minor)
    }

    func isAtLeast(_ major: Int, _ minor: Int = 0) -> Bool { (self.major, self.minor) >= (major, minor) }
}

extension PhoneSystem: CustomStringConvertible {
    package var description: String { "\(family.rawValue) \(major)" + (minor > 0 ? ".\(minor)" : "") }
}

/// The limits of a version.
extension PhoneSystem {
    /// The longest time from the arrival of a push until its notification is shown.
    ///
    /// An extension of iOS has no more than 30 seconds [6]. Firebase's SDK for Android waits 5 seconds for the image [9].
    package var clock: Duration { family == .ios ? .seconds(30) : .seconds(5) }

    /// The size of the largest picture that Firebase's SDK for Android downloads, in bytes [3] [9].
    static let largestAndroidPicture = 1 << 20

    /// The reason why this version shows no media; `nil` if it shows some.
    var absence: String? {
        switch family {
        case .ios: isAtLeast(10) ? nil : "service extensions exist since iOS 10"
        case .android: isAtLeast(4, 1) ? nil : "big pictures exist since Android 4.1"
        }
    }

    /// The obstacle to plain http in an app without an exception; `nil` if the version permits it [8] [10].
    var plainHTTPObstacle: String? {
        switch family {
        case .ios: "App Transport Security blocks plain http (NSURLError -1022)"
        case .android: isAtLeast(9) ? "Android blocks plain http since version 9" : nil
        }
    }

    /// The name of the setting with which users save data; `nil` if the version has none [11] [12].
    var lowDataName: String? {
        switch family {
        case .ios: isAtLeast(13) ? "Low Data Mode" : nil
        case .android: isAtLeast(7) ? "Data Saver" : nil
        }
    }

    /// The reason why the text is shown when ``clock`` ends.
    var lateness: String {
        switch family {
        case .ios: "the extension is ended before the download"
        case .android: "the notification does not wait longer for its picture"
        }
    }

    /// Returns whether the version decodes pictures of a format.
    ///
    /// iOS decodes BMP and TIFF [17], HEIC since 11 [13], WebP since 14 [14] and AVIF since 16 [15]. Android decodes BMP,
    /// WebP since 4.0, HEIC since 8.0 and AVIF since 14 [16].
    package func decodes(_ format: MediaFormat) -> Bool {
        switch (family, format) {
        case (_, .jpeg), (_, .png), (_, .gif), (_, .bmp): true
        case (.ios, .tiff): true
        case (.ios, .heic): isAtLeast(11)
        case (.ios, .webp): isAtLeast(14)
        case (.ios, .avif): isAtLeast(16)
        case (.android, .webp): isAtLeast(4)
        case (.android, .heic): isAtLeast(8)
        case (.android, .avif): isAtLeast(14)
        default: false
        }
    }
}
