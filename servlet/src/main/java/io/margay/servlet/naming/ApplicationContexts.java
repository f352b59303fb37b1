package io.margay.servlet.naming;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.spi.InitialContextFactory;
import org.jspecify.annotations.Nullable;

/// The initial context of an application's threads.
///
/// No property of the JVM names it: a `jndi.properties` does, which only the class loaders of
/// applications show (Java's "application resource files"). So whatever else runs in the same JVM
/// keeps the initial context it had, or had not. Stateless.
public final class ApplicationContexts implements InitialContextFactory {
    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        Naming naming = Naming.of(Thread.currentThread().getContextClassLoader());
        if (naming == null) {
            throw new NoInitialContextException(
                    "the thread's context class loader is of no application");
        }
        return naming.context(environment);
    }
}
