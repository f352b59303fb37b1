package io.margay.gateway.login;

/// What has to be found out of a client before it is decided on, which takes too long for a loop.
public interface LoginCheck {
    /// Begins to find it out, and notes it in the exchange.
    ///
    /// @param then run on the loop thread when it is known, unless the client has left
    void begin(Runnable then);
}
