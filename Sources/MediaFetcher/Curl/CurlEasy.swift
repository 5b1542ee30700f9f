import CCurl

/// One easy handle, owned. Options that fail to be set are a fault of this build against its libcurl.
@safe struct CurlEasy: ~Copyable {
    let handle: UnsafeMutableRawPointer

    init?() {
        guard let handle = unsafe curl_easy_init() else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    borrowing func set(_ option: CURLoption, _ value: Int) throws(CurlFault) {
        try CurlFault.check(unsafe agd_easy_set_long(handle, option, value))
    }

    borrowing func set(_ option: CURLoption, _ value: String) throws(CurlFault) {
        try CurlFault.check(unsafe agd_easy_set_string(handle, option, value))
    }

    /// The list must outlive the transfer.
    borrowing func set(_ option: CURLoption, _ list: borrowing CurlList) throws(CurlFault) {
        try CurlFault.check(unsafe agd_easy_set_pointer(handle, option, list.head))
    }

    /// The body of the request, which libcurl copies; the method becomes POST unless it is set.
    borrowing func setBody(_ bytes: [UInt8]) throws(CurlFault) {
        try CurlFault.check(
            unsafe bytes.withUnsafeBytes { unsafe agd_easy_set_body(handle, $0.baseAddress, curl_off_t($0.count)) })
    }

    /// The share must outlive the handle.
    borrowing func use(_ share: borrowing CurlShare) throws(CurlFault) {
        try CurlFault.check(unsafe agd_easy_set_pointer(handle, CURLOPT_SHARE, share.handle))
    }

    borrowing func number(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe agd_easy_get_long(handle, info, &value) == CURLE_OK ? value : 0
    }

    /// Microseconds or bytes; -1 where it is not known.
    borrowing func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = -1
        return unsafe agd_easy_get_offset(handle, info, &value) == CURLE_OK ? Int(value) : -1
    }

    borrowing func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard unsafe agd_easy_get_string(handle, info, &value) == CURLE_OK, let value = unsafe value else { return nil }
        return unsafe String(cString: value)
    }
}

/// libcurl refused something that it must not refuse.
struct CurlFault: Error {
    let code: CURLcode

    static func check(_ code: CURLcode) throws(CurlFault) {
        guard code == CURLE_OK else { throw CurlFault(code: code) }
    }
}

extension CURLcode {
    /// libcurl's words for the code.
    var words: String {
        guard let text = unsafe curl_easy_strerror(self) else { return "error \(rawValue)" }
        return unsafe String(cString: text)
    }
}
