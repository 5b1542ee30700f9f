import CCurl

/// A list of strings as libcurl wants it, owned. Empty where memory ran out.
@safe struct CurlList: ~Copyable {
    let head: UnsafeMutablePointer<curl_slist>?

    init(_ strings: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for string in strings {
            guard let longer = unsafe string.withCString({ unsafe curl_slist_append(list, $0) }) else { break }
            unsafe list = unsafe longer
        }
        unsafe head = unsafe list
    }

    deinit { unsafe curl_slist_free_all(head) }
}
