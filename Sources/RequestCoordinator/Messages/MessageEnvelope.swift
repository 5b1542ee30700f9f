import JSON
import NotificationModel

/// The envelope of a named message without its profile. The requests that prepare the message differ in their profiles.
struct MessageEnvelope {
    /// The profile of the envelope, or else the default profile of the app group.
    let profile: MediaProfile
    let bytes: [UInt8]

    /// - Throws: The error of an envelope that cannot be used, or that has the id of a single request.
    init(of submission: Submission, by reader: any EnvelopeReading) throws(EnvelopeError) {
        let request = try reader.request(of: submission)
        guard !request.isKeyed else {
            throw EnvelopeError(key: "id", problem: "belongs to a single request: the path has the name of the message")
        }
        profile = request.profile
        // The payload of a request is the whole body, unless the body is an envelope.
        let isBare = request.payload == submission.object
        let envelope: JSONObject = isBare ? ["payload": .object(submission.object)] : submission.object
        bytes = JSONWriter.bytes(of: .object(JSONObject(members: envelope.members.filter { $0.key != "profile" })))
    }

    /// Returns the envelope for a profile.
    static func envelope(_ stored: JSONObject, for profile: MediaProfile) -> JSONObject {
        var envelope = stored
        envelope.append("profile", .string(profile.name))
        return envelope
    }
}
