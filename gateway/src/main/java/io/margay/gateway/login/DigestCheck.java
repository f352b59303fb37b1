package io.margay.gateway.login;

import io.margay.server.exchange.Exchange;

/// A file of `htdigest` that is to be read before it is known who a client is. Immutable.
record DigestCheck(Logins logins, Exchange exchange, Login login) implements LoginCheck {
    @Override
    public void begin(Runnable then) {
        boolean begun =
                logins.submit(
                        login.users(),
                        () -> {
                            logins.readDigests(login);
                            exchange.execute(() -> {
                                if (exchange.failure() == null) {
                                    exchange.notes().found(this, this);
                                    then.run();
                                }
                            });
                        });
        if (!begun) {
            exchange.notes().found(login, new LoginResult.Busy());
            then.run();
        }
    }
}
