extension DegradationReason {
    /// The advice that would cause the media item to be shown, in one or two sentences; `nil` if the detail of the
    /// failure already has the advice.
    package var advice: String? {
        switch self {
        case .budgetExceeded: "Use a longer --budget, a smaller file, or a faster origin."
        case .expired: "Send the message before it expires, or with a later expiry."
        case .serviceNotPermitted, .downloadNotPermitted:
            "To see the result for a receiver who permits it, use --permission service=true and --permission download=true."
        case .wifiOnly: "To see the result for a receiver on Wi-Fi, use --network wifi."
        case .forbiddenScheme: "Write an https URL, or permit the scheme with fetch.schemes."
        case .forbiddenHost: "Write another host, or permit this one with fetch.allowHosts and fetch.denyHosts."
        case .dnsFailed: "Check the name of the host in the URL; appgroupd doctor asks the name servers."
        case .connectFailed: "Run curl -v with the URL on this machine, to check that the origin listens there."
        case .tlsFailed: "Check the certificate of the origin. For a private authority, set fetch.caFile."
        case .httpStatus: "Check the URL. For an origin that needs a token, set fetch.headers."
        case .redirectRefused: "Write the URL that the redirects lead to."
        case .truncated, .connectionLost:
            "Fetch the URL with curl and compare the lengths: the origin, or a proxy before it, ends the response too early."
        case .tooLarge: "Send a smaller file, or raise media.pictureBytes, media.videoBytes or media.soundBytes."
        case .tooManyPixels: "Send an image with fewer pixels, or raise media.pixels."
        case .unsupportedMedia:
            "Send a JPEG, a PNG, a GIF or an MP4. docs/reference/media.md lists all accepted formats."
        case .corruptMedia: "Open the file in a viewer and save it again."
        case .hostResting: "The host failed several times in a row; try again in a minute."
        case .overloaded: "Process fewer payloads at a time, or use a longer --budget."
        case .workerCrashed: "Keep the file and report it, because no file should end a worker."
        case .storageFailed: "Free space on the file system of --root, and check that this user can write to it."
        case .otherProfile: "Name the platform of the media item with --profile."
        case .cancelled, .invalidURL, .forbiddenAddress, .invalidPayload, .duplicateID, .internal: nil
        }
    }
}
