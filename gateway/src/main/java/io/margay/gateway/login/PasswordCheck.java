package io.margay.gateway.login;

import io.margay.server.exchange.Exchange;

/// A name and a password that are to be verified, or a name whose groups are to be read. Immutable.
record PasswordCheck(Logins logins, Exchange exchange, Asked asked, Credentials given)
        implements LoginCheck {
    /// Of whom it is asked whether a user is right: what the answer depends on besides the
    /// credentials.
    ///
    /// @param groups the file of groups as a text; empty = none
    record Asked(Login.Users users, String groups) {}

    @Override
    public void begin(Runnable then) {
        if (!logins.submit(asked.users(), () -> verify(then))) {
            LoginFindings.of(exchange).found(asked, new LoginResult.Busy());
            then.run();
        }
    }

    private void verify(Runnable then) {
        LoginResult result = logins.verify(asked, given);
        exchange.execute(() -> {
            if (exchange.failure() == null) {
                LoginFindings.of(exchange).found(asked, result);
                then.run();
            }
        });
    }
}
