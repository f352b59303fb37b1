package io.margay.servlet.websocket;

import io.margay.servlet.inject.BeanLoader;
import io.margay.servlet.inject.Beans;
import java.lang.System.Logger.Level;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.glassfish.tyrus.core.ComponentProvider;

/// Makes endpoints, encoders and decoders of applications, gives them their resources and beans,
/// and ends them with their session. Stateless; found by Tyrus as a service.
public final class InjectedEndpoints extends ComponentProvider {
    private static final System.Logger LOG = System.getLogger(InjectedEndpoints.class.getName());

    @Override
    public boolean isApplicable(Class<?> type) {
        return type.getClassLoader() instanceof BeanLoader;
    }

    @Override
    public <T> Object create(Class<T> type) {
        try {
            Constructor<T> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            T made = constructor.newInstance();
            Beans.of(type.getClassLoader()).life().created(made);
            return made;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " cannot be created", e);
        }
    }

    @Override
    public boolean destroy(Object made) {
        ClassLoader loader = made.getClass().getClassLoader();
        if (!(loader instanceof BeanLoader own)) {
            return false;
        }
        try {
            own.beans().life().destroyed(made);
        } catch (InvocationTargetException e) {
            LOG.log(
                    Level.ERROR,
                    made.getClass().getName() + " failed in @PreDestroy",
                    e.getCause());
        }
        return true;
    }
}
