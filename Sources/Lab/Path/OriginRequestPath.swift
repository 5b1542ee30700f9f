/// What a request target asks for: faults, left to right, then a file.
///
/// `/delay/2s/stall/after/1000/video.mp4` is two faults and `video.mp4`. A query counts for nothing, but a redirect to
/// itself keeps it. A fault's name is one in the leading segments only: a file in a folder called `delay` is reached as
/// `/./delay/photo.jpg`.
package struct OriginRequestPath: Sendable, Equatable {
    /// A longer list is refused.
    package static let mostFaults = 16

    /// In the order of the path. What stands left wraps what stands right.
    package var faults: [Fault]
    /// Below the served folder, decoded and normalised: no empty segment, no `.`, no `..`, no leading `/`. Empty where
    /// the path names no file.
    package var filePath: String

    /// Reads a request target in origin form (`/photo.jpg?x`) or absolute form (`http://host/photo.jpg`).
    package init(parsing target: String) throws(OriginPathError) {
        let originForm = try Self.originForm(of: target)
        var segments = PathSegments(Self.path(of: originForm))
        faults = []
        while let fault = try segments.nextFault(target: originForm) {
            guard faults.count < Self.mostFaults else { throw .tooManyFaults }
            faults.append(fault)
        }
        filePath = try segments.remainingFilePath()
    }

    /// The target without its query: what requests are counted under.
    package static func path(of target: String) -> String {
        String(target.prefix { $0 != "?" && $0 != "#" })
    }

    /// RFC 9112, section 3.2.2: a server accepts the absolute form too, although only proxies are sent it.
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
