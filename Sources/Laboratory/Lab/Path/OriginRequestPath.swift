/// The content of a request target: faults, followed by a file.
///
/// `/delay/2s/stall/after/1000/video.mp4` has two faults and the file `video.mp4`. A query is ignored, but a redirect
/// to the same target keeps it. Only leading segments are names of faults. A file in a directory with the name `delay`
/// has the path `/./delay/photo.jpg`.
package struct OriginRequestPath: Sendable, Equatable {
    /// The maximum number of faults in a path. A longer list is refused.
    package static let maxFaults = 16

    /// The faults in the order of the path. A fault applies to all segments after it.
    package var faults: [Fault]
    /// The file below the served directory, decoded and normalised: without empty segments, `.`, `..` and a leading
    /// `/`. The value is empty if the path names no file.
    package var filePath: String

    package init(_ faults: [Fault], filePath: String) {
        self.faults = faults
        self.filePath = filePath
    }

    /// Parses a request target in origin form (`/photo.jpg?x`) or absolute form (`http://host/photo.jpg`).
    package init(parsing target: String) throws(OriginPathError) {
        let originForm = try Self.originForm(of: target)
        var segments = PathSegments(Self.path(of: originForm))
        faults = []
        while let fault = try segments.nextFault(target: originForm) {
            guard faults.count < Self.maxFaults else { throw .tooManyFaults }
            faults.append(fault)
        }
        filePath = try segments.remainingFilePath()
    }

    /// Returns the target without its query, which is the key of the counts.
    package static func path(of target: String) -> String { String(target.prefix { $0 != "?" && $0 != "#" }) }

    /// Returns the target in origin form. A server must also accept the absolute form (RFC 9112, section 3.2.2).
    private static func originForm(of target: String) throws(OriginPathError) -> String {
        if target.hasPrefix("/") { return target }
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            let afterScheme = target.dropFirst(scheme.count)
            guard let slash = afterScheme.firstIndex(of: "/") else { return "/" }
            return String(afterScheme[slash...])
        }
        throw .notAPath(target)
    }
}

/// A table from the requests of clients to faults and files, in place of paths that name their faults.
package protocol OriginRouting: Sendable {
    /// Returns the faults and the file for a request; `nil` if the table does not list it, and the origin answers 404.
    ///
    /// - Parameter host: The host of the request in lower case, without a port; empty if the request names no host.
    /// - Parameter path: The path as sent, without its query.
    func route(host: String, path: String) -> OriginRequestPath?
}

/// The circumstances in which an origin answers, in addition to the faults of its paths.
package struct OriginCircumstances: Sendable {
    /// The table of routes; `nil` if the paths of requests name faults and files.
    package var routes: (any OriginRouting)?
    package var link: LinkShape?
    /// The authority of the certificates, with which the origin also serves HTTPS; `nil` for plain HTTP only.
    package var authority: CertificateAuthority?
    package var timers = OriginTimers.eventLoop
    /// The seed of all random choices.
    package var seed: UInt64 = 0

    package init() {}
}
