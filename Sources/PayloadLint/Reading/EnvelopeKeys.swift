import NotificationModel
import NotificationProcessor

/// The keys of what is nearly an envelope: any that is none of the envelope's makes the whole object a bare payload.
enum EnvelopeKeys {
    /// Looking at more says nothing more.
    private static let mostKeys = 64

    /// Keys that make an object no envelope though it was meant as one, with what they are nearly; none of what is
    /// an envelope, or was not meant as one.
    ///
    /// - Parameter isSomebodys: a dialect recognises the whole object.
    static func strangers(in object: JSONObject, isSomebodys: Bool) -> [(key: String, guess: String?)] {
        guard object["payload"]?.object != nil, object["aps"]?.object == nil else { return [] }
        let all = EnvelopeReader.keys
        var seen = Set(all)
        let strangers = object.keys.prefix(mostKeys).filter { seen.insert($0).inserted }
            .map { (key: $0, guess: KeyGuess.nearest(to: $0, among: all)) }
        // Some providers' events have a payload, and some of these, of their own.
        let own = all.filter { !["id", "payload", "priority", "headers"].contains($0) }
        let isMeant = strangers.contains { $0.guess != nil } || object.keys.contains(where: own.contains)
        return isMeant && (!isSomebodys || strangers.allSatisfy { $0.guess != nil }) ? strangers : []
    }
}
