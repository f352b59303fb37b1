<%@ page contentType="text/html; charset=UTF-8" %><%@ taglib prefix="s" uri="/struts-tags" %>
<s:fielderror/>
<s:form action="order"><s:textfield name="item"/><s:textfield name="amount"/><s:submit/></s:form>
