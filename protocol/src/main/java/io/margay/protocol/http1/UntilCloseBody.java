package io.margay.protocol.http1;

/// Content of a response that ends where the connection does.
final class UntilCloseBody extends Http1BodyDecoder {
    private boolean closed;

    @Override
    public Result decode(byte[] buffer, int from, int to) {
        if (from < to) {
            return data(from, to);
        }
        return closed ? end(from) : needMore(from);
    }

    @Override
    public Result endOfInput() {
        closed = true;
        return Result.END;
    }

    @Override
    public boolean ended() {
        return closed;
    }
}
