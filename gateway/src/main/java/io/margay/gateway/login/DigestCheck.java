package io.margay.gateway.login;

import io.margay.server.exchange.Exchange;

/// A file of `htdigest` that is to be read before it is known who a client is: read once for a
/// request. Immutable.
record DigestCheck(Logins logins, Exchange exchange, Login login) implements LoginCheck {
    /// Noted after it was read: what the file says is known then, if it can be read at all.
    private static final LoginResult UNREADABLE = new LoginResult.Failed();

    @Override
    public void begin(Runnable then) {
        boolean begun =
                logins.submit(
                        login.users(),
                        () -> {
                            logins.readDigests(login);
                            exchange.execute(() -> {
                                if (exchange.failure() == null) {
                                    LoginFindings.of(exchange).found(this, UNREADABLE);
                                    then.run();
                                }
                            });
                        });
        if (!begun) {
            LoginFindings.of(exchange).found(login, new LoginResult.Busy());
            then.run();
        }
    }
}
