package io.margay.protocol.http1;

/// Content whose length the head has told.
final class FixedBody extends Http1BodyDecoder {
    private long remaining;

    FixedBody(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("length is " + length);
        }
        remaining = length;
    }

    @Override
    public Result decode(byte[] buffer, int from, int to) {
        if (failed()) {
            return Result.ERROR;
        }
        if (remaining == 0) {
            return end(from);
        }
        int length = (int) Math.min(remaining, to - from);
        if (length == 0) {
            return needMore(from);
        }
        remaining -= length;
        return data(from, from + length);
    }

    @Override
    public Result endOfInput() {
        return remaining == 0 ? Result.END : fail(Http1Error.TRUNCATED, 0);
    }

    @Override
    public boolean ended() {
        return remaining == 0;
    }
}
