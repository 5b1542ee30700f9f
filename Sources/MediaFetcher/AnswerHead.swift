/// What the head of an answer says, as far as it matters here.
struct AnswerHead: Equatable {
    var status: Int
    /// `Content-Length`, before any decoding.
    var declaredBytes: Int?
    /// `Content-Encoding`, without `identity`.
    var contentEncodings: [String] = []
    /// `Location`, unresolved.
    var location: String?
}
