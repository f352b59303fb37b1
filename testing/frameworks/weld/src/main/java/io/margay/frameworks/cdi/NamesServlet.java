package io.margay.frameworks.cdi;

import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/// Looks the bean manager up by its name.
@WebServlet("/names")
public class NamesServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings("BanJNDI") // The name is a constant.
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            BeanManager beans = InitialContext.doLookup("java:comp/BeanManager");
            response.getWriter().print(beans.getBeans(Rights.class).size());
        } catch (NamingException e) {
            throw new IOException(e);
        }
    }
}
