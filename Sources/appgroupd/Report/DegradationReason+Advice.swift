import NotificationModel

extension DegradationReason {
    /// Advice in a sentence or two, so that the medium is shown the next time; `nil` if the detail of the failure has it.
    var advice: String? {
        switch self {
        case .budgetExceeded: "Give it more time with --budget, or send a smaller file from a faster origin."
        case .expired: "Send it before the message expires, or give it a later expiry."
        case .serviceNotPermitted, .downloadNotPermitted:
            "To see it as a receiver who permits it: --permission service=true and --permission download=true."
        case .wifiOnly: "To see it as a receiver who is on Wi-Fi: --network wifi."
        case .forbiddenScheme: "Write an https URL, or permit the scheme with fetch.schemes."
        case .forbiddenHost: "Write another host, or permit this one with fetch.allowHosts and fetch.denyHosts."
        case .dnsFailed: "Check the name of the host in the URL; appgroupd doctor asks the name servers."
        case .connectFailed: "Check that the origin listens there: curl -v the URL from this machine."
        case .tlsFailed: "Check the certificate of the origin; fetch.caFile takes a private authority."
        case .httpStatus: "Check the URL; fetch.headers sends the header that a protected origin asks for."
        case .redirectRefused: "Write the URL that the redirects lead to."
        case .truncated, .connectionLost:
            "Fetch it with curl and compare the lengths: the origin, or a proxy before it, breaks off."
        case .tooLarge: "Send a smaller file, or raise media.pictureBytes, media.videoBytes or media.soundBytes."
        case .tooManyPixels: "Send a picture of fewer pixels, or raise media.pixels."
        case .unsupportedMedia: "Send a JPEG, a PNG, a GIF or an MP4; docs/media.md lists all that is taken."
        case .corruptMedia: "Open the file in a viewer and save it anew."
        case .hostResting: "The host failed several times in a row; try again in a minute."
        case .overloaded: "Process fewer at a time, or give them more time with --budget."
        case .workerCrashed: "Keep the file and report it: no file may end a worker."
        case .storageFailed: "Make room on the file system of --root, and see that this user may write there."
        case .otherProfile: "Name the platform that the medium is for with --profile."
        case .cancelled, .invalidURL, .forbiddenAddress, .invalidPayload, .duplicateID, .internal: nil
        }
    }
}
