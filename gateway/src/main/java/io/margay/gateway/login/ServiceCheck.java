package io.margay.gateway.login;

import io.margay.server.exchange.Exchange;

/// A service that is to be asked. Immutable.
record ServiceCheck(AuthServices services, Exchange exchange, AuthService service)
        implements LoginCheck {
    @Override
    public void begin(Runnable then) {
        services.ask(
                exchange,
                service,
                result -> {
                    exchange.notes().found(service, result);
                    then.run();
                });
    }
}
