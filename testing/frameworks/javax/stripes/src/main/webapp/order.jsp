<%@ page contentType="text/html; charset=UTF-8" %><%@ taglib prefix="s" uri="http://stripes.sourceforge.net/stripes.tld" %>
<s:errors globalErrorsOnly="false"/>
<s:form beanclass="old.OrderActionBean"><s:text name="item"/><s:text name="amount"/><s:submit name="order" value="order"/></s:form>
