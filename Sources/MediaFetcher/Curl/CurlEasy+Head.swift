import CCurl

extension CurlEasy {
    /// The head of the answer that has just arrived.
    var answerHead: AnswerHead {
        let length = offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        let encodings = headers("Content-Encoding").joined(separator: ",").split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        return AnswerHead(
            status: number(CURLINFO_RESPONSE_CODE), declaredBytes: length >= 0 ? length : nil,
            contentEncodings: encodings.filter { !$0.isEmpty && $0 != "identity" }, location: headers("Location").first)
    }

    /// Every value of a header of this answer, in order.
    private func headers(_ name: String) -> [String] {
        var values: [String] = []
        var header: UnsafeMutablePointer<curl_header>?
        while unsafe curl_easy_header(handle, name, values.count, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK,
            let found = unsafe header, let value = unsafe found.pointee.value
        {
            unsafe values.append(String(cString: value))
        }
        return values
    }
}
