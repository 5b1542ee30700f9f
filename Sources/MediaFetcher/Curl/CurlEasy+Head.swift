import CCurl
import HTTPCaching
import HTTPTypes

extension CurlEasy {
    /// The head of the answer that has just arrived, its fields in their order. A name that is none is left out.
    var responseHead: ResponseHead {
        var fields = HTTPFields()
        var header: UnsafeMutablePointer<curl_header>?
        while let next = unsafe curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, header) {
            unsafe header = unsafe next
            guard let name = unsafe next.pointee.name, let value = unsafe next.pointee.value,
                let name = unsafe HTTPField.Name(String(cString: name))
            else { continue }
            unsafe fields.append(HTTPField(name: name, value: String(cString: value)))
        }
        return ResponseHead(status: number(CURLINFO_RESPONSE_CODE), fields: fields)
    }
}
