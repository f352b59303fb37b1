package io.margay.protocol.fastcgi;

/// How much of each kind one FastCGI message may have.
///
/// @param headBytesMax bytes of a response's CGI head, 1024 to 1048576; over it 502; twice what a
///   head over HTTP/1 may have: applications set many cookies
/// @param fieldsMax fields of a response's head; over it 502; as with HTTP/1
/// @param parametersBytesMax encoded bytes of a request's parameters; over it 431; four times the
///   longest head of a client
/// @param parametersMax parameters of a request; over it 431; the fields of a client and the
///   parameters of CGI
public record FastCgiLimits(
        int headBytesMax, int fieldsMax, int parametersBytesMax, int parametersMax) {
    public FastCgiLimits {
        if (headBytesMax < 1024 || headBytesMax > 1 << 20) {
            throw new IllegalArgumentException("headBytesMax is " + headBytesMax);
        }
        if (parametersBytesMax < 1024 || parametersBytesMax > 1 << 24) {
            throw new IllegalArgumentException("parametersBytesMax is " + parametersBytesMax);
        }
        if (fieldsMax < 1 || parametersMax < 1) {
            throw new IllegalArgumentException("fieldsMax and parametersMax must be at least 1");
        }
    }

    /// The defaults: heads twice as long as HTTP/1's, and parameters for the longest request.
    public static FastCgiLimits defaults() {
        return new FastCgiLimits(32_768, 100, 65_536, 256);
    }
}
