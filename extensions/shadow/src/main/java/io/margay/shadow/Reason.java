package io.margay.shadow;

/// Why the answers to a request are not compared.
enum Reason {
    SESSION("the new server does not know the session: it began elsewhere, or is not known yet"),
    PARTED("its session is the old server's: it has sent a form, or begun where answers differ"),
    SESSION_IN_PATH("the session is named in the path"),
    CREDENTIALS("the request has Authorization, which the new server does not get"),
    VALIDATORS("a conditional request: each server has its own tags"),
    CONTENT("the content is too long, or compressed in a way that is not known here"),
    NO_ANSWER("the old server has not answered"),
    COPIES("too many copies were in flight"),
    BUSY("the processors were busy");

    private final String words;

    Reason(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
